import { notify } from './notices.ts'

export function copyText(text: string, said: string): void {
  void toClipboard(text).then(
    () => notify.status(`${said} is copied.`),
    () => notify.alert(NO_CLIPBOARD),
  )
}

/** Copies a text. Browsers have no `clipboard` on pages without TLS, except on localhost. */
export const toClipboard = (text: string): Promise<void> =>
  navigator.clipboard?.writeText(text) ?? Promise.reject(new Error('no clipboard'))

export const NO_CLIPBOARD = 'Your browser does not allow copying here. Select the text and copy it yourself.'
