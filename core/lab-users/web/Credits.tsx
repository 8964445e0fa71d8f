import { formatRupees } from '@trainyard/platform/contract/words/money.ts'
import { sandboxCreditsLeft } from '../contract/sandbox-words.ts'
import { Bar } from '@trainyard/platform/web/ui/Bar.tsx'
import { Fact } from '@trainyard/platform/web/ui/Fact.tsx'
import type { AzureAccount } from './azure-account.ts'
import styles from './Sheet.module.css'

export function Credits({ credits }: { credits: AzureAccount['credits'] }) {
  return (
    <section className={`panel ${styles.sheet}`} aria-labelledby="credits">
      <h2 id="credits">Credits</h2>
      <dl className={styles.figures}>
        <Fact term="Consumed / total">
          <strong>{formatRupees(credits.consumed)}</strong> / {formatRupees(credits.total)}
        </Fact>
        <Fact term="Left">{formatRupees(sandboxCreditsLeft(credits))}</Fact>
      </dl>
      <Bar label="Credits consumed" value={credits.consumed} total={credits.total} />
    </section>
  )
}
