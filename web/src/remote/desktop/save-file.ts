import type { DesktopOffer } from '@trainyard/contract/calls/remote.ts'

/** Saves the file that opens a machine in the computer's own remote desktop. */
export function saveFile({ name, text }: DesktopOffer['file']): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/x-rdp' }))
  Object.assign(document.createElement('a'), { href: url, download: name }).click()
  URL.revokeObjectURL(url)
}
