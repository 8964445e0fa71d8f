import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { template } from '@trainyard/templates/contract/template.ts'
import { formatRupees } from '@trainyard/platform/contract/words/money.ts'
import { formatDate } from '@trainyard/platform/web/ui/time.ts'
import styles from './TemplateCard.module.css'

export type Template = ReplyOf<typeof template.orderable>['templates'][number]

interface TemplateCardProps {
  template: Template
  /** Undefined for a preview. */
  order?: () => void
}

const licenceText = ({ licence, os }: Template['creation']): string =>
  licence === 'none' ? (os === 'Windows' ? 'Included' : 'Not needed') : 'Windows Server'

export function TemplateCard({ template, order }: TemplateCardProps) {
  const { name, rate, nextRate, display, creation, refusal } = template
  const details = [
    ['CPU', display.cpu],
    ['Memory', display.memory],
    ['OS', display.os],
    ['Storage', display.storage],
    ['Disk', display.disk],
    ['License', licenceText(creation)],
  ]
  const Heading = order ? 'h2' : 'h4'
  return (
    <article className={`panel ${styles.card}`}>
      <Heading className={styles.name}>
        {order ? (
          <button type="button" className={styles.open} aria-haspopup="dialog" onClick={order}>
            {name}
          </button>
        ) : (
          name
        )}
      </Heading>
      <dl className={styles.facts}>
        {details.map(([term, value]) => (
          <div key={term} className={styles.fact}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        <div className={styles.price}>
          <dt>Price</dt>
          <dd>
            <strong>{Number.isFinite(rate) ? formatRupees(rate) : '₹?'}</strong> an hour
            {nextRate !== undefined && (
              <>
                <br />
                {formatRupees(nextRate.rate)} from {formatDate(nextRate.from)}
              </>
            )}
          </dd>
        </div>
      </dl>
      {refusal !== null && (
        <p className={styles.refusal}>The last machine ordered from this card could not be created. {refusal}</p>
      )}
    </article>
  )
}
