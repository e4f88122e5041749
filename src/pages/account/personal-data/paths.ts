export const personalDataPath = '/account/privacy'
export const personalDataDownloadPath = `${personalDataPath}/download`
export const deletePath = `${personalDataPath}/delete`
