/** The query returns violating rows. `quiet`: checked only when nothing is changing. */
export interface Invariant {
  readonly name: string
  readonly description: string
  readonly when: 'always' | 'quiet'
  readonly query: string
}

const SECONDS = `extract(epoch from coalesce(r.stopped_at, date_trunc('second', portal_now())) - r.started_at)`

export const INVARIANTS: readonly Invariant[] = [
  {
    name: 'L1',
    description:
      'Each invoice and payment is booked once per organisation, and each provider payment only once overall.',
    when: 'always',
    query: `select organisation_id::text, kind, reference from ledger_entry
      group by organisation_id, kind, reference having count(*) > 1
      union all select '', kind, reference from ledger_entry where source = 'provider'
      group by kind, reference having count(*) > 1`,
  },
  {
    name: 'L3',
    description: 'The balance of an organisation equals the sum of its entries.',
    when: 'always',
    query: `select organisation_id from ledger_balance b
      full join (select organisation_id, coalesce(sum(balance_change(kind, amount_paise))
          filter (where is_invoiced(kind, source)), 0) as invoice,
        coalesce(-sum(balance_change(kind, amount_paise))
          filter (where not is_invoiced(kind, source)), 0) as payment
        from ledger_entry group by organisation_id) e using (organisation_id)
      where (b.invoice_paise, b.payment_paise) is distinct from (e.invoice, e.payment)`,
  },
  {
    name: 'L4',
    description:
      "The app's database role cannot change or delete ledger entries, balances, issued documents, audit rows or audit seals.",
    when: 'always',
    query: `select relation, privilege from unnest(array['ledger_entry', 'ledger_balance', 'run_total', 'posting', 'settlement_entry',
        'settlement_posting', 'audit', 'audit_seal',
        'audit_head', 'audit_archive', 'tax_document', 'tax_document_registration', 'charged_line',
        'document_series']) relation,
      unnest(array['update', 'delete', 'truncate']) privilege
      where has_table_privilege('trainyard_app', relation, privilege)
      union all select relname, 'ownership' from pg_class
      where relnamespace = 'public'::regnamespace and pg_has_role('trainyard_app', relowner, 'member')`,
  },
  {
    name: 'L5',
    description: 'The numbers of a document series have no gaps, and its dates never decrease.',
    when: 'always',
    query: `select supplier_gstin, prefix, financial_year, serial from (
        select *, row_number() over series as place, lag(issued_on) over series as before from tax_document
        window series as (partition by supplier_gstin, prefix, financial_year order by serial)) d
      where serial <> place or issued_on < before`,
  },
  {
    name: 'L6',
    description: 'Each entry of an issued document has its document, and credit notes never exceed their invoice.',
    when: 'always',
    query: `select reference from ledger_entry e where source = 'issued' and not exists (select from tax_document d
        where d.organisation_id = e.organisation_id and d.number = coalesce(e.reverses, e.reference)
          and d.total_paise = e.amount_paise)
      union all select i.number from tax_document i join tax_document n on n.of_document = i.id
          and not exists (select from e_invoice_cancellation c where c.document_id = n.id)
        cross join lateral (select case n.kind when 'debit note' then -1 else 1 end as sign) s
      group by i.id having sum(sign * n.total_paise) > i.total_paise or sum(sign * n.taxable_paise) > i.taxable_paise`,
  },
  {
    name: 'L9',
    description: 'A voucher never exceeds its payment or refund.',
    when: 'always',
    query: `select d.number from tax_document d join ledger_entry e on e.organisation_id = d.organisation_id
        and ((e.kind = 'payment' and e.reference = d.payment) or (e.kind = d.refund_kind and e.reference = d.refund))
      where d.total_paise > e.amount_paise`,
  },
  {
    name: 'L7',
    description: 'The taxable amount of the issued invoice of a month equals the sum of its metered lines.',
    when: 'always',
    query: `select d.number from tax_document d left join charged_line l
        on l.organisation_id = d.organisation_id and l.invoice = d.number
      where d.month is not null and not exists (select from e_invoice_cancellation c where c.document_id = d.id)
      group by d.id having d.taxable_paise <> coalesce(sum(l.amount_paise), 0)`,
  },
  {
    name: 'L8',
    description: 'Completed and pending refunds of an online payment never exceed the payment.',
    when: 'always',
    query: `select p.reference from ledger_entry p
      join (select payment, sum(amount) as back from (
          select payment, amount_paise as amount from refund where state in ('wanted', 'sent', 'pending')
          union all select refund_of, amount_paise from ledger_entry e where kind = 'refund' and not exists
            (select from refund r where r.number = e.reference and r.state in ('wanted', 'sent', 'pending'))) parts
        group by payment) b on b.payment = p.reference
      where p.kind = 'payment' and p.source = 'provider' and back > p.amount_paise`,
  },
  {
    name: 'L10',
    description: 'A payment for a payment request has the requested amount.',
    when: 'always',
    query: `select p.order_id from payment p join payment_request r on r.id = p.request
      where p.amount_paise <> r.amount_paise`,
  },
  {
    name: 'L11',
    description: 'The debits and credits of each ledger entry balance.',
    when: 'always',
    query: `select e.reference from ledger_entry e left join posting p on p.entry_id = e.id
      group by e.id having count(p.account) < 2 or sum(p.paise) <> 0`,
  },
  {
    name: 'L12',
    description: 'Receivable and advances of a customer add up to its balance, and a customer never has both.',
    when: 'always',
    query: `select b.organisation_id from ledger_balance b left join (
        select organisation_id, sum(paise) filter (where account = 'receivable') as receivable,
          sum(paise) filter (where account = 'advances') as advances from posting group by organisation_id) p
        using (organisation_id)
      where coalesce(p.receivable, 0) <> greatest(b.invoice_paise - b.payment_paise, 0)
        or coalesce(p.advances, 0) <> least(b.invoice_paise - b.payment_paise, 0)`,
  },
  {
    name: 'L13',
    description: 'Sales and taxes of an issued document are posted as the document states them.',
    when: 'always',
    query: `select d.number from tax_document d join ledger_entry e on e.organisation_id = d.organisation_id
        and e.kind = d.entry_kind and e.reference = d.number left join posting p on p.entry_id = e.id
      group by d.id having coalesce(abs(sum(p.paise) filter (where account in ('sales', 'discount'))), 0) <> d.taxable_paise
        or coalesce(abs(sum(p.paise) filter (where account = 'output_cgst')), 0) <> d.cgst_paise
        or coalesce(abs(sum(p.paise) filter (where account in ('output_sgst', 'output_utgst'))), 0) <> d.sgst_paise
        or coalesce(abs(sum(p.paise) filter (where account = 'output_igst')), 0) <> d.igst_paise`,
  },
  {
    name: 'L16',
    description:
      'A document is cancelled exactly if its entry is reversed, with the opposite postings to all accounts but those of the customer, and no valid note refers to it.',
    when: 'always',
    query: `select d.number from tax_document d
        join ledger_entry e on e.organisation_id = d.organisation_id and e.kind = d.entry_kind and e.reference = d.number
        left join ledger_entry r on r.organisation_id = d.organisation_id and r.reverses = d.number
          and r.kind = d.entry_kind || ' reversal'
        left join e_invoice_cancellation c on c.document_id = d.id
      where (r.id is null) <> (c.document_id is null) or exists (select from posting p
        where p.entry_id in (e.id, r.id) and r.id is not null and p.account not in ('receivable', 'advances')
        group by p.account having sum(p.paise) <> 0)
      union all select d.number from e_invoice_cancellation c join tax_document d on d.id = c.document_id
        join tax_document n on n.of_document = d.id
        left join e_invoice_cancellation other on other.document_id = n.id
      where other.document_id is null`,
  },
  {
    name: 'L15',
    description: 'The postings of a settlement balance and are those of its lines.',
    when: 'always',
    query: `select settlement from settlement_unposted
      union all select e.settlement from settlement_entry e left join settlement_posting p on p.entry_id = e.id
      group by e.id having count(p.account) < 2 or sum(p.paise) <> 0`,
  },
  {
    name: 'L14',
    description: 'Prepaid credit is at most the payment that bought it, and what expires at most the credit.',
    when: 'always',
    query: `select p.payment from prepaid_purchase p join ledger_entry e on e.organisation_id = p.organisation_id
        and e.kind = 'payment' and e.reference = p.payment
      where p.gross_paise > e.amount_paise or p.expired_paise > p.credit_paise`,
  },
  {
    name: 'M1',
    description: 'Runs of a machine never overlap.',
    when: 'always',
    // Compares each start with the latest end before it. Runs with a length of zero cannot overlap other runs.
    query: `select machine_id, started_at from (
        select machine_id, started_at, max(coalesce(stopped_at, 'infinity')) over (partition by machine_id
          order by started_at rows between unbounded preceding and 1 preceding) as latest
        from run where stopped_at is distinct from started_at) r
      where started_at < latest`,
  },
  {
    name: 'M2',
    description: 'A running machine has an open run; a stopped or absent one has none.',
    when: 'always',
    query: `select m.id, m.name, m.observed from machine m left join run r on r.machine_id = m.id and r.stopped_at is null
      where (m.observed = 'running' and r.id is null) or (m.observed in ('stopped', 'absent') and r.id is not null)`,
  },
  {
    name: 'M3',
    description: "A run starts and ends within its machine's lifetime and not in the future.",
    when: 'always',
    query: `select r.id, r.started_at, r.stopped_at, m.created_at, m.terminated_at
      from run r join machine m on m.id = r.machine_id
      where r.started_at < date_trunc('second', m.created_at) or r.started_at > portal_now()
        or r.stopped_at > portal_now() or r.stopped_at > m.terminated_at
        or (r.stopped_at is null and m.terminated_at is not null)`,
  },
  {
    name: 'M4',
    description: 'The stored sums of the ended runs of a machine equal its runs.',
    when: 'always',
    query: `select machine_id from run_total t
      full join (select machine_id, count(*) as runs, sum(${SECONDS}) as seconds,
          sum(${SECONDS} * r.paise_per_hour) as paise_seconds
        from run r where stopped_at is not null group by machine_id) found using (machine_id)
      where (coalesce(t.runs, 0), coalesce(t.seconds, 0), coalesce(t.paise_seconds, 0))
        is distinct from (coalesce(found.runs, 0), coalesce(found.seconds, 0), coalesce(found.paise_seconds, 0))`,
  },
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
  {
    name: 'Q2',
    description: 'The stored time at which the quota ends matches the runs.',
    when: 'always',
    query: `select id, quota_ends_at, wanted from (
        select m.id, m.quota_ends_at, (select o.started_at + make_interval(secs => (m.allotted_minutes * 60
          - coalesce((select sum(${SECONDS}) from run r where r.machine_id = m.id and r.stopped_at is not null), 0))::float8)
          from run o where o.machine_id = m.id and o.stopped_at is null) as wanted
        from machine m where m.terminated_at is null) q
      where quota_ends_at is distinct from wanted`,
  },
  {
    name: 'Q1',
    description: 'A machine that has used up its quota does not have the desired state "running".',
    when: 'quiet',
    query: `select m.id from machine m join run r on r.machine_id = m.id
      where m.allotted_minutes is not null and m.desired = 'running'
      group by m.id having sum(${SECONDS}) >= m.allotted_minutes * 60 + 60`,
  },
  {
    name: 'S2',
    description: 'An order has exactly one machine for each of its e-mails.',
    when: 'always',
    query: `select o.id from machine_order o left join machine m on m.order_id = o.id
      group by o.id having count(m.id) <> o.machine_count or count(distinct m.ordered_for) <> count(m.id)`,
  },
  {
    name: 'S4',
    description: 'A terminated machine has no password and no pending work.',
    when: 'always',
    query: `select id from machine where terminated_at is not null and (admin_password is not null
      or reconcile_at is not null or leased_until is not null or desired <> 'gone' or observed <> 'absent')`,
  },
  {
    name: 'S5',
    description: 'A machine that differs from its desired state has a scheduled retry or a final error.',
    when: 'always',
    query: `select id, name, desired, observed from machine where terminated_at is null and reconcile_at is null
      and not (refused and last_error is not null) and ((desired <> observed and not create_later) or restart_asked_at is not null or reset_asked_at is not null or last_error is not null or command is not null
        or (password_due and desired = 'running'))`,
  },
  {
    name: 'S6',
    description: 'A machine that should be stopped is not billed ten minutes later.',
    when: 'quiet',
    query: `select m.id from machine m join run r on r.machine_id = m.id and r.stopped_at is null
      where m.desired = 'stopped' and m.observed = 'running' and m.observed_at < portal_now() - interval '10 minutes'`,
  },
  {
    name: 'S7',
    description: 'When nothing is changing, every machine is in its desired state.',
    when: 'quiet',
    query: `select id, name, desired, observed, last_error from machine
      where terminated_at is null and (leased_until > portal_now()
        or (desired <> observed and not create_later and not (refused and last_error is not null and desired = 'running')))`,
  },
  {
    name: 'B1',
    description: 'A resource group belongs to one sandbox.',
    when: 'always',
    query: `select lower(group_name) from sandbox where ended_at is null
      group by provider, lower(group_name) having count(*) > 1`,
  },
  {
    name: 'B2',
    description:
      "A lab user's consumed credits equal the charges; sandboxes are frozen exactly when all credits are used.",
    when: 'always',
    query: `select u.id from azure_user u
      left join (select s.azure_user_id, sum(c.paise) as used from sandbox_charge c join sandbox s on s.id = c.sandbox_id
        group by 1) c on c.azure_user_id = u.id
      where u.consumed_paise <> coalesce(c.used, 0) or u.consumed_paise > u.total_paise
      union all select s.id from sandbox s join azure_user u on u.id = s.azure_user_id
      where s.desired <> 'gone' and (s.desired = 'frozen') <> (u.consumed_paise >= u.total_paise)`,
  },
  {
    name: 'B2',
    description: 'A frozen sandbox is read-only.',
    when: 'quiet',
    query: `select id from sandbox where desired = 'frozen' and access = 'full'`,
  },
  {
    name: 'B3',
    description: 'Fifteen minutes after its end a sandbox is deleted and a lab user is blocked.',
    when: 'quiet',
    query: `select id from sandbox where ended_at is null
        and least(delete_at, blocked_at) < portal_now() - interval '15 minutes'
      union all select id from azure_user where ended_at is null
        and least(end_at, blocked_at) < portal_now() - interval '15 minutes'
      union all select id from aws_user where ended_at is null
        and least(end_at, blocked_at) < portal_now() - interval '15 minutes'`,
  },
  {
    name: 'B6',
    description: 'A leased account and its lab user refer to each other, and each active AWS lab user is scheduled.',
    when: 'always',
    query: `select u.id::text from aws_user u left join aws_account a on a.aws_user_id = u.id
        where u.ended_at is null and u.leased and a.id is distinct from u.aws_account
      union all select a.id from aws_account a join aws_user u on u.id = a.aws_user_id
        where u.ended_at is not null or not u.leased
      union all select id::text from aws_user where ended_at is null and reconcile_at is null`,
  },
  {
    name: 'B5',
    description: 'No sandbox outlives its lab user.',
    when: 'always',
    query: `select s.id from sandbox s join azure_user u on u.id = s.azure_user_id
      where u.ended_at is not null and s.ended_at is null`,
  },
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
  {
    name: 'T1',
    description: 'Machines, orders, trainings and runs that belong together have the same organisation.',
    when: 'always',
    query: `select m.id from machine m join training t on t.id = m.training_id join machine_order o on o.id = m.order_id
      where m.organisation_id <> t.organisation_id or o.organisation_id <> t.organisation_id
      union all select r.machine_id from run r join machine m on m.id = r.machine_id
      where r.organisation_id <> m.organisation_id`,
  },
  {
    name: 'T4',
    description: 'No session outlives its user.',
    when: 'always',
    query: `select s.user_id from session s left join portal_user u on u.id = s.user_id where u.id is null`,
  },
]
