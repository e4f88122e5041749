export const personalDataPath = '/account/privacy'
export const downloadPath = `${personalDataPath}/download`
export const deletePath = `${personalDataPath}/delete`
