import { useQuery } from '@tanstack/react-query'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { taxStatus } from '../contract/tax-status.ts'
import { type CustomerPlace, formatMonth } from '@trainyard/ledger/contract/tax-document.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { Fact } from '@trainyard/platform/web/ui/Fact.tsx'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { Rupees } from '@trainyard/platform/web/ui/Rupees.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { formatDate } from '@trainyard/platform/web/ui/time.ts'

interface StatusEffectProps {
  /** Given by superadmins. */
  organization?: string
  place: CustomerPlace
  gstin: string | null
  from: string
}

/** Shows the next invoice under the current and the requested tax status. */
export function StatusEffect({ gstin, ...asked }: StatusEffectProps) {
  const effect = useQuery(query(api.taxStatus.effect, { ...asked, ...(gstin !== null && { gstin }) }))
  return (
    <section className="panel stack" aria-label="Effect on the next invoice">
      <Fetched query={effect} loading={<Skeleton rows={1} height="4rem" />}>
        {({ month, from, taxablePaise, present, requested }) => (
          <>
            <p>
              Next invoice: {formatMonth(month)}, <Rupees paise={taxablePaise} /> before tax. The new status applies to
              invoices issued from {formatDate(from)} on.
            </p>
            <dl className="row">
              <Fact term="Current status">
                <Figures figures={present} />
              </Fact>
              <Fact term="New status">
                <Figures figures={requested} />
              </Fact>
            </dl>
          </>
        )}
      </Fetched>
    </section>
  )
}

function Figures({ figures }: { figures: ReplyOf<typeof taxStatus.effect>['present'] }) {
  const { totalPaise, taxPaise, problems } = figures
  if (totalPaise === null || taxPaise === null) return <>Cannot be issued. {problems.join(' ')}</>
  return (
    <>
      Tax <Rupees paise={taxPaise} />, total <Rupees paise={totalPaise} />
    </>
  )
}
