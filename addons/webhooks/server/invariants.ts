import type { Invariant } from '@trainyard/platform/server/core/tables.ts'

export const INVARIANTS: readonly Invariant[] = [
  {
    name: 'W1',
    description: 'Each pending webhook delivery of an enabled endpoint is scheduled, and no lane is empty for long.',
    when: 'always',
    query: `select d.id::text from webhook_delivery d join webhook_endpoint e on e.id = d.endpoint_id
      where d.state = 'pending' and e.disabled_at is null and not exists
        (select from webhook_lane l where l.endpoint_id = d.endpoint_id and l.resource = d.resource)
      union all select l.resource from webhook_lane l where l.due_at < portal_now() - interval '1 hour'
        and not exists (select from webhook_delivery d where d.endpoint_id = l.endpoint_id
          and d.resource = l.resource and d.state = 'pending')`,
  },
  {
    name: 'W2',
    description: 'Events and deliveries belong to the organisation of their endpoint.',
    when: 'always',
    query: `select d.id from webhook_delivery d join webhook_endpoint e on e.id = d.endpoint_id
      join webhook_event v on v.id = d.event_id
      where d.organisation_id <> e.organisation_id or v.organisation_id <> e.organisation_id`,
  },
]
