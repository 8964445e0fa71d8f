import type { Adapter, AdapterPayload } from 'oidc-provider'

interface Stored {
  payload: AdapterPayload
  readonly until: number
}

/** Maximum number of entries. The oldest are dropped first. */
const SIZE = 5_000

export function openIdStorage(): (model: string) => Adapter {
  const entries = new Map<string, Stored>()

  const find = (key: string): AdapterPayload | undefined => {
    const entry = entries.get(key)
    return entry === undefined || entry.until < Date.now() ? undefined : entry.payload
  }
  const findBy = (model: string, field: 'uid' | 'userCode', value: string): AdapterPayload | undefined => {
    for (const [key, { payload }] of entries) {
      if (key.startsWith(`${model}:`) && payload[field] === value) return find(key)
    }
    return undefined
  }

  return (model) => ({
    upsert: async (id, payload, expiresIn) => {
      const key = `${model}:${id}`
      entries.delete(key)
      entries.set(key, { payload, until: expiresIn ? Date.now() + expiresIn * 1000 : Number.POSITIVE_INFINITY })
      if (entries.size > SIZE) entries.delete(entries.keys().next().value!)
    },
    find: async (id) => find(`${model}:${id}`),
    findByUid: async (uid) => findBy(model, 'uid', uid),
    findByUserCode: async (code) => findBy(model, 'userCode', code),
    consume: async (id) => {
      const payload = find(`${model}:${id}`)
      if (payload !== undefined) payload.consumed = Math.floor(Date.now() / 1000)
    },
    destroy: async (id) => void entries.delete(`${model}:${id}`),
    revokeByGrantId: async (grantId) => {
      for (const [key, { payload }] of entries) if (payload.grantId === grantId) entries.delete(key)
    },
  })
}
