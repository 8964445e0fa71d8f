import { mountDns } from './mount.ts'
import { mountOpenId } from './openid-mount.ts'
import type { Part } from '@trainyard/platform/emulator/part.ts'

/** An OpenID Connect provider, and DNS, with which an organisation proves that a domain is its own. */
export const signInPart: Part = {
  name: 'sso',
  mount(emulated) {
    mountDns(emulated)
    mountOpenId(emulated)
  },
}
