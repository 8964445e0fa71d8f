import type { Invariant } from '@trainyard/platform/server/core/tables.ts'

export const INVARIANTS: readonly Invariant[] = [
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
]
