/** Returns the proxy through which an agent inside the emulator's virtual network connects to machines. */
export function proxyInside(emulatorUrl: string, network: string): string {
  const url = new URL(emulatorUrl)
  url.username = '10.0.0.200'
  url.password = encodeURIComponent(network)
  return url.href
}
