import type { Invariant } from '@trainyard/platform/server/core/tables.ts'

export const INVARIANTS: readonly Invariant[] = [
  {
    name: 'M6',
    description: "The price of a run is the customer's price when it began, otherwise the price of the order.",
    when: 'always',
    query: `select r.id from run r join machine m on m.id = r.machine_id join machine_order o on o.id = m.order_id
      where r.paise_per_hour <> coalesce(
        machine_price_on(m.organisation_id, o.template_name, m.vm_size, m.licence,
          (r.started_at at time zone 'Asia/Kolkata')::date) + case when m.guacamole then 500 else 0 end,
        m.order_paise_per_hour, m.paise_per_hour)`,
  },
]
