import type { Lms } from './lms-provider.ts'
import { type AddressPolicy, refusalOfAddress } from '@trainyard/platform/server/providers/guarded-fetch.ts'

/** Loads the library on first use, to keep the start fast. */
export function ltiLms(policy: AddressPolicy): Lms {
  let read: Promise<Omit<Lms, 'addressRefusal'>> | undefined
  const tool = () => (read ??= import('./tool.ts').then(({ ltiTool }) => ltiTool(policy)))
  return {
    addressRefusal(address) {
      const url = URL.parse(address)
      return url === null ? `${address} is not an address.` : refusalOfAddress(url, policy)
    },
    verifyIdToken: async (...args) => (await tool()).verifyIdToken(...args),
    countKeys: async (...args) => (await tool()).countKeys(...args),
    checkToken: async (...args) => (await tool()).checkToken(...args),
    members: async (...args) => (await tool()).members(...args),
    sendScore: async (...args) => (await tool()).sendScore(...args),
    signContent: async (...args) => (await tool()).signContent(...args),
    registrationOrigin: async (...args) => (await tool()).registrationOrigin(...args),
    register: async (...args) => (await tool()).register(...args),
  }
}
