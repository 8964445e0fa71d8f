import type { TaxDocument } from '../../contract/invoice.ts'
import { DOCUMENT_TITLES, formatMonth } from '@trainyard/ledger/contract/tax-document.ts'
import { Rupees } from '@trainyard/platform/web/ui/Rupees.tsx'
import { formatDate } from '@trainyard/platform/web/ui/time.ts'
import { Fact } from '@trainyard/platform/web/ui/Fact.tsx'
import styles from './TaxDocumentPage.module.css'
import { Items, taxesOf } from './Items.tsx'
import { UsageLines } from './UsageLines.tsx'

type Address = TaxDocument['customer']['address']

export function TaxDocumentPage({ document }: { document: TaxDocument }) {
  const {
    kind,
    number,
    date,
    month,
    supplier,
    customer,
    placeOfSupply,
    totals,
    of: original,
    reason,
    endorsement,
  } = document
  const { dueOn = null } = document
  const { purchaseOrder = null, costCentre = null } = customer
  const title = DOCUMENT_TITLES[kind]
  return (
    <section
      className={`panel ${styles.page}`}
      aria-label={number === null ? `${title}, not issued yet` : `${title} ${number}`}
    >
      <header className={styles.head}>
        <div>
          <h2>{title}</h2>
          <Party name={supplier.legalName} address={supplier.address} gstin={supplier.gstin} />
        </div>
        <dl className={styles.facts}>
          <Fact term="Number">{number ?? 'not issued yet'}</Fact>
          <Fact term="Date">{date === null ? 'day of issue' : formatDate(date)}</Fact>
          {dueOn !== null && <Fact term="Due">{formatDate(dueOn)}</Fact>}
          {purchaseOrder !== null && <Fact term="Purchase order">{purchaseOrder}</Fact>}
          {costCentre !== null && <Fact term="Cost centre">{costCentre}</Fact>}
          {original !== null && (
            <Fact term="Against">
              {original.number} of {formatDate(original.date)}
            </Fact>
          )}
          {month !== null && <Fact term="Period">{formatMonth(month)}</Fact>}
          <Fact term="Place of supply">
            {placeOfSupply.name} ({placeOfSupply.code})
          </Fact>
          <Fact term="Supply">{document.supplyType}</Fact>
          <Fact term="Reverse charge">{document.reverseCharge ? 'Yes' : 'No'}</Fact>
          {reason !== null && <Fact term="Reason">{reason}</Fact>}
        </dl>
      </header>
      {endorsement !== null && <p className={styles.endorsement}>{endorsement}</p>}
      <div>
        <p className="dim">Billed to</p>
        <Party name={customer.legalName} address={customer.address} gstin={customer.gstin} />
      </div>
      <Items document={document} />
      <dl className={styles.totals}>
        <Fact term="Taxable value">
          <Rupees paise={totals.taxablePaise} />
        </Fact>
        {taxesOf(document).map(([name, field]) => (
          <Fact key={name} term={name}>
            <Rupees paise={totals[field]} />
          </Fact>
        ))}
        <Fact term="Round off">
          <Rupees paise={totals.roundOffPaise} />
        </Fact>
        <Fact term="Total">
          <strong>
            <Rupees paise={totals.totalPaise} />
          </strong>
        </Fact>
      </dl>
      <p>{document.words}</p>
      <p className="dim">
        For {supplier.legalName}: {supplier.signatory}, authorised signatory
      </p>
      {document.lines.length > 0 && <UsageLines lines={document.lines} />}
    </section>
  )
}

function Party({ name, address, gstin }: { name: string; address: Address; gstin: string | null }) {
  const { line1, line2, city, pin, state, country } = address
  return (
    <address className={styles.party}>
      <strong>{name}</strong>
      <span>{[line1, line2].filter((line) => line !== null).join(', ')}</span>
      <span>
        {city} {pin}, {country ?? `${state.name} (${state.code})`}
      </span>
      <span>{gstin === null ? 'GSTIN: not registered' : `GSTIN ${gstin}`}</span>
    </address>
  )
}
