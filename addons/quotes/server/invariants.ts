import type { Invariant } from '@trainyard/platform/server/core/tables.ts'

/** SQL: the price that the customer of the machine `m` had agreed when the run `r` began. */
const agreedPrice = (kind: string, item: string) => `(select p.paise_per_hour from customer_price p
  where p.organisation_id = m.organisation_id and p.kind = '${kind}' and lower(p.item) = lower(${item})
    and p.valid_from <= (r.started_at at time zone 'Asia/Kolkata')::date
  order by p.valid_from desc limit 1)`

export const INVARIANTS: readonly Invariant[] = [
  {
    name: 'M6',
    description: "The price of a run is the customer's price when it began, otherwise the price of the order.",
    when: 'always',
    query: `select r.id from run r join machine m on m.id = r.machine_id join machine_order o on o.id = m.order_id
      where r.paise_per_hour <> coalesce(
        coalesce(${agreedPrice('template', 'o.template_name')}, ${agreedPrice('size', 'm.size_name')}
          + case when m.licence = 'none' then 0 else coalesce(${agreedPrice('licence', 'm.licence')}, 0) end)
          + case when m.guacamole then 500 else 0 end,
        m.order_paise_per_hour, m.paise_per_hour)`,
  },
]
