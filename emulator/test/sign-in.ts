/**
 * Signs in at the emulated OpenID provider like a browser without cookies. Returns the address to which the provider
 * redirects back.
 * @param subject the user to choose
 */
export async function signInAtProvider(address: string, subject: string): Promise<URL> {
  const cookies = new Map<string, string>()
  const provider = new URL(address).origin
  let at = new URL(address)
  for (let steps = 0; steps < 10; steps++) {
    const sent = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const reply = await fetch(at, { redirect: 'manual', headers: { cookie: sent } })
    for (const set of reply.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(set)!
      cookies.set(name!, value!)
    }
    const next = reply.headers.get('location')
    if (next !== null) at = new URL(next, at)
    else if (reply.status === 200 && at.pathname.startsWith('/openid/choose/')) at = new URL(`${at.href}/${subject}`)
    else throw new Error(`${at.pathname}: ${reply.status} ${await reply.text()}`)
    if (at.origin !== provider) return at
  }
  throw new Error(`${address} did not redirect back to the portal.`)
}
