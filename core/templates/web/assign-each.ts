import { api } from '@trainyard/platform/web/api/client.ts'
import { newId } from '@trainyard/platform/web/api/new-id.ts'

/** Returns a function that assigns cards to an organisation, and on a retry only those that are not assigned yet. */
export function assigner() {
  const keys = new Map<string, string>()
  const assigned = new Set<string>()
  return async (organization: string, templates: readonly string[]): Promise<{ message: string }> => {
    let reply = { message: '' }
    for (const template of templates) {
      const pair = JSON.stringify([organization, template])
      if (assigned.has(pair)) continue
      keys.set(pair, keys.get(pair) ?? newId())
      reply = await api.template.assign({ organization, template }, { idempotencyKey: keys.get(pair)! })
      assigned.add(pair)
    }
    return templates.length === 1 ? reply : { message: `${templates.length} cards are assigned to ${organization}.` }
  }
}
