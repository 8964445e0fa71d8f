/** Reads a file as base64. @throws Error with a message for the user */
export const base64Of = (file: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve((reader.result as string).replace(/^[^,]*,/, '')))
    reader.addEventListener('error', () => reject(new Error('The file can’t be read. Choose it again.')))
    reader.readAsDataURL(file)
  })
