/**
 * Signs in at the emulated OpenID provider like a browser without cookies. Returns the address to which the provider
 * redirects back.
 * @param subject the user to choose
 */
export async function signInAtProvider(address: string, subject: string): Promise<URL> {
  const cookies = new Map<string, string>()
  const provider = new URL(address).origin
  let url = new URL(address)
  for (let steps = 0; steps < 10; steps++) {
    const sent = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const reply = await fetch(url, { redirect: 'manual', headers: { cookie: sent } })
    for (const set of reply.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(set)!
      cookies.set(name!, value!)
    }
    const next = reply.headers.get('location')
    if (next !== null) url = new URL(next, url)
    else if (reply.status === 200 && url.pathname.startsWith('/openid/choose/')) url = new URL(`${url.href}/${subject}`)
    else throw new Error(`${url.pathname}: ${reply.status} ${await reply.text()}`)
    if (url.origin !== provider) return url
  }
  throw new Error(`${address} did not redirect back to the portal.`)
}
