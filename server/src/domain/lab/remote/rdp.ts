/**
 * Returns an RDP file for the user's own remote desktop client: the address and the account, without a password.
 * Source: https://learn.microsoft.com/azure/virtual-desktop/rdp-properties
 */
export function rdpFile(address: string, account: string): string {
  const lines = [
    `full address:s:${address}:3389`,
    `username:s:${account}`,
    'prompt for credentials:i:1',
    'authentication level:i:2',
    'redirectclipboard:i:1',
    'dynamic resolution:i:1',
  ]
  return `${lines.join('\r\n')}\r\n`
}
