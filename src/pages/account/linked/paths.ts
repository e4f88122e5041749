export const linkedPath = '/account/linked'
export const addPath = `${linkedPath}/add`
export const removePath = `${linkedPath}/remove`
