import { mountDns } from '#src/dns/mount.ts'
import { mountOpenId } from '#src/openid/mount.ts'
import type { Part } from '#src/part.ts'

/** An OpenID Connect provider, and DNS, with which an organisation proves that a domain is its own. */
export const signInPart: Part = {
  name: 'sso',
  mount(emulated) {
    mountDns(emulated)
    mountOpenId(emulated)
  },
}
