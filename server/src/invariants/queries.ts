/**
 * The invariants that hold at every commit (`always`) or when all is quiet: each query returns the rows that break
 * it.
 */
export interface Invariant {
  readonly name: string
  readonly says: string
  readonly when: 'always' | 'quiet'
  readonly query: string
}

const SECONDS = `extract(epoch from coalesce(r.stopped_at, date_trunc('second', portal_now())) - r.started_at)`

export const INVARIANTS: readonly Invariant[] = [
  {
    name: 'L1',
    says: 'An organisation has each invoice and each payment once, and a payment of the provider stands once at all.',
    when: 'always',
    query: `select organisation_id::text, kind, reference from ledger_entry
      group by organisation_id, kind, reference having count(*) > 1
      union all select '', kind, reference from ledger_entry where source = 'provider'
      group by kind, reference having count(*) > 1`,
  },
  {
    name: 'L3',
    says: 'What an organisation was billed and has paid is the sum of its entries.',
    when: 'always',
    query: `select organisation_id from ledger_balance b
      full join (select organisation_id, coalesce(sum(amount_paise) filter (where kind = 'invoice'), 0) as invoice,
        coalesce(sum(case kind when 'refund' then -amount_paise else amount_paise end)
          filter (where kind <> 'invoice'), 0) as payment
        from ledger_entry group by organisation_id) e using (organisation_id)
      where (b.invoice_paise, b.payment_paise) is distinct from (e.invoice, e.payment)`,
  },
  {
    name: 'L4',
    says: "The app's role can't change or remove entries, what is summed up from them, issued documents, audit rows or their seals.",
    when: 'always',
    query: `select relation, privilege from unnest(array['ledger_entry', 'ledger_balance', 'audit', 'audit_seal',
        'audit_head', 'audit_archive', 'tax_document', 'tax_document_registration', 'charged_line',
        'document_series']) relation,
      unnest(array['update', 'delete', 'truncate']) privilege
      where has_table_privilege('trainyard_app', relation, privilege)
      union all select relname, 'ownership' from pg_class
      where relnamespace = 'public'::regnamespace and pg_has_role('trainyard_app', relowner, 'member')`,
  },
  {
    name: 'L5',
    says: 'The numbers of a series have no gap, and its days never go back.',
    when: 'always',
    query: `select supplier_gstin, prefix, financial_year, serial from (
        select *, row_number() over series as place, lag(issued_on) over series as before from tax_document
        window series as (partition by supplier_gstin, prefix, financial_year order by serial)) d
      where serial <> place or issued_on < before`,
  },
  {
    name: 'L6',
    says: 'An entry of an issued document has its document; what credit notes take off is no more than the invoice says.',
    when: 'always',
    query: `select reference from ledger_entry e where source = 'issued' and not exists (select from tax_document d
        where d.organisation_id = e.organisation_id and d.number = e.reference and d.total_paise = e.amount_paise)
      union all select i.number from tax_document i join tax_document n on n.of_document = i.id
      group by i.id having sum(n.total_paise) > i.total_paise or sum(n.taxable_paise) > i.taxable_paise`,
  },
  {
    name: 'L9',
    says: 'A voucher is over no more than the payment or the refund that it is for.',
    when: 'always',
    query: `select d.number from tax_document d join ledger_entry e on e.organisation_id = d.organisation_id
        and ((e.kind = 'payment' and e.reference = d.payment) or (e.kind = 'refund' and e.reference = d.refund))
      where d.total_paise > e.amount_paise`,
  },
  {
    name: 'L7',
    says: 'An issued invoice says before tax what its metered lines add up to.',
    when: 'always',
    query: `select d.number from tax_document d left join charged_line l
        on l.organisation_id = d.organisation_id and l.invoice = d.number
      where d.kind = 'invoice' group by d.id having d.taxable_paise <> coalesce(sum(l.amount_paise), 0)`,
  },
  {
    name: 'L8',
    says: 'What was paid back of an online payment, or is to be, is never more than it brought.',
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
    says: 'What is paid by a request is the amount that was asked for.',
    when: 'always',
    query: `select p.order_id from payment p join payment_request r on r.id = p.request
      where p.amount_paise <> r.amount_paise`,
  },
  {
    name: 'M1',
    says: 'Runs of a machine never overlap.',
    when: 'always',
    // Each against the latest end before it; what took no time is in nobody's way.
    query: `select machine_id, started_at from (
        select machine_id, started_at, max(coalesce(stopped_at, 'infinity')) over (partition by machine_id
          order by started_at rows between unbounded preceding and 1 preceding) as latest
        from all_run where stopped_at is distinct from started_at) r
      where started_at < latest`,
  },
  {
    name: 'M2',
    says: 'A machine that runs has an open run; one that is stopped or absent has none.',
    when: 'always',
    query: `select m.id, m.name, m.observed from machine m left join run r on r.machine_id = m.id and r.stopped_at is null
      where (m.observed = 'running' and r.id is null) or (m.observed in ('stopped', 'absent') and r.id is not null)`,
  },
  {
    name: 'M3',
    says: "A run lies inside its machine's life, and not in the future.",
    when: 'always',
    query: `select r.id, r.started_at, r.stopped_at, m.created_at, m.terminated_at
      from all_run r join machine m on m.id = r.machine_id
      where r.started_at < date_trunc('second', m.created_at) or r.started_at > portal_now()
        or r.stopped_at > portal_now() or r.stopped_at > m.terminated_at
        or (r.stopped_at is null and m.terminated_at is not null)`,
  },
  {
    name: 'M6',
    says: 'The price of a run is the price when the machine was ordered.',
    when: 'always',
    query: `select r.id from all_run r join machine m on m.id = r.machine_id where r.paise_per_hour <> m.paise_per_hour`,
  },
  {
    name: 'K1',
    says: 'What is counted as it changes is what there is.',
    when: 'always',
    query: `select * from (
        select name, training_id, sum(count) as kept from (select name, training_id, count from counter
          union all select name, training_id, change from counter_change) said
        group by name, training_id having sum(count) <> 0) k
      full join (
        select 'users' as name, null::uuid as training_id, count(*) as found from portal_user having count(*) > 0
        union all select 'live', training_id, count(*) from machine where terminated_at is null group by training_id
        union all select 'failing', null, count(*) from machine
          where terminated_at is null and last_error is not null and desired <> 'gone' having count(*) > 0
        union all select 'used up', null, count(*) from machine m where terminated_at is null
          and not exists (select from run r where r.machine_id = m.id and r.stopped_at is null)
          and allotted_minutes * 60 <= (select sum(${SECONDS}) from all_run r where r.machine_id = m.id) having count(*) > 0
      ) f on f.name = k.name and f.training_id is not distinct from k.training_id
      where k.kept is distinct from f.found`,
  },
  {
    name: 'Q2',
    says: 'The instant at which the allotted minutes are used up is what the runs say.',
    when: 'always',
    query: `select id, quota_ends_at, wanted from (
        select m.id, m.quota_ends_at, (select o.started_at + make_interval(secs => (m.allotted_minutes * 60
          - coalesce((select sum(${SECONDS}) from all_run r where r.machine_id = m.id and r.stopped_at is not null), 0))::float8)
          from run o where o.machine_id = m.id and o.stopped_at is null) as wanted
        from machine m where m.terminated_at is null) q
      where quota_ends_at is distinct from wanted`,
  },
  {
    name: 'Q1',
    says: 'A machine that has used its allotted minutes up is not wanted running.',
    when: 'quiet',
    query: `select m.id from machine m join all_run r on r.machine_id = m.id
      where m.allotted_minutes is not null and m.desired = 'running'
      group by m.id having sum(${SECONDS}) >= m.allotted_minutes * 60 + 60`,
  },
  {
    name: 'S2',
    says: 'An order has exactly one machine for each of its e-mails.',
    when: 'always',
    query: `select o.id from machine_order o left join machine m on m.order_id = o.id
      group by o.id having count(m.id) <> o.machine_count or count(distinct m.ordered_for) <> count(m.id)`,
  },
  {
    name: 'S4',
    says: 'Terminated is final: no secret, no work.',
    when: 'always',
    query: `select id from machine where terminated_at is not null and (admin_password is not null
      or reconcile_at is not null or leased_until is not null or desired <> 'gone' or observed <> 'absent')`,
  },
  {
    name: 'S5',
    says: 'Nothing is stuck: what is not as wanted has a next try, or says why it was refused for good.',
    when: 'always',
    query: `select id, name, desired, observed from machine where terminated_at is null and reconcile_at is null
      and not (refused and last_error is not null) and ((desired <> observed and not create_later) or restart_asked_at is not null or reset_asked_at is not null or last_error is not null or command is not null
        or (password_due and desired = 'running'))`,
  },
  {
    name: 'S6',
    says: 'What should be stopped is not billed ten minutes later.',
    when: 'quiet',
    query: `select m.id from machine m join run r on r.machine_id = m.id and r.stopped_at is null
      where m.desired = 'stopped' and m.observed = 'running' and m.observed_at < portal_now() - interval '10 minutes'`,
  },
  {
    name: 'S7',
    says: 'When all is quiet nothing is on its way.',
    when: 'quiet',
    query: `select id, name, desired, observed, last_error from machine
      where terminated_at is null and (leased_until > portal_now()
        or (desired <> observed and not create_later and not (refused and last_error is not null and desired = 'running')))`,
  },
  {
    name: 'B1',
    says: 'A group belongs to one sandbox.',
    when: 'always',
    query: `select lower(group_name) from sandbox where ended_at is null
      group by provider, lower(group_name) having count(*) > 1`,
  },
  {
    name: 'B2',
    says: "What is used of a lab user's credits is what was charged; once all is used, and not before, all is frozen.",
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
    says: 'A frozen sandbox can only be looked at.',
    when: 'quiet',
    query: `select id from sandbox where desired = 'frozen' and access = 'full'`,
  },
  {
    name: 'B3',
    says: 'Fifteen minutes after its end a sandbox is absent, and a login blocked.',
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
    says: 'A leased account has one lab user, who has that account; who is not ended has a next try.',
    when: 'always',
    query: `select u.id::text from aws_user u left join aws_account a on a.aws_user_id = u.id
        where u.ended_at is null and u.leased and a.id is distinct from u.aws_account
      union all select a.id from aws_account a join aws_user u on u.id = a.aws_user_id
        where u.ended_at is not null or not u.leased
      union all select id::text from aws_user where ended_at is null and reconcile_at is null`,
  },
  {
    name: 'B5',
    says: 'Nobody is left to a sandbox whose lab user is gone.',
    when: 'always',
    query: `select s.id from sandbox s join azure_user u on u.id = s.azure_user_id
      where u.ended_at is not null and s.ended_at is null`,
  },
  {
    name: 'T1',
    says: "A child's organisation is its parent's.",
    when: 'always',
    query: `select m.id from machine m join training t on t.id = m.training_id join machine_order o on o.id = m.order_id
      where m.organisation_id <> t.organisation_id or o.organisation_id <> t.organisation_id
      union all select r.machine_id from all_run r join machine m on m.id = r.machine_id
      where r.organisation_id <> m.organisation_id`,
  },
  {
    name: 'T4',
    says: 'No session outlives its user.',
    when: 'always',
    query: `select s.user_id from session s left join portal_user u on u.id = s.user_id where u.id is null`,
  },
]
