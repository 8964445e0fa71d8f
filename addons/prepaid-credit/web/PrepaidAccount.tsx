import IconPencil from '@tabler/icons-react/icons/IconPencil'
import { lazy, useId } from 'react'
import type { PrepaidAccount as Account } from '../contract/credit.ts'
import { formatRupees } from '@trainyard/platform/contract/words/money.ts'
import { Bar } from '@trainyard/platform/web/ui/Bar.tsx'
import { DialogButton } from '@trainyard/platform/web/ui/DialogButton.tsx'
import { Instant } from '@trainyard/platform/web/ui/Instant.tsx'
import { Rupees } from '@trainyard/platform/web/ui/Rupees.tsx'
import { DataTable, type Column } from '@trainyard/platform/web/ui/table/DataTable.tsx'
import { type PrepaidState, forecastSentence } from './forecast.ts'

const AlertDialog = lazy(() => import('./AlertDialog.tsx'))

type Purchase = Account['purchases'][number]

const COLUMNS: readonly Column<Purchase>[] = [
  { id: 'payment', header: 'Payment', value: ({ payment }) => payment },
  {
    id: 'boughtAt',
    header: 'Bought',
    value: ({ boughtAt }) => boughtAt,
    cell: ({ boughtAt }) => <Instant at={boughtAt} />,
  },
  {
    id: 'grossPaise',
    header: 'With tax',
    align: 'end',
    value: ({ grossPaise }) => grossPaise,
    cell: ({ grossPaise }) => <Rupees paise={grossPaise} />,
  },
  {
    id: 'creditPaise',
    header: 'Credit',
    align: 'end',
    value: ({ creditPaise }) => creditPaise,
    cell: ({ creditPaise }) => <Rupees paise={creditPaise} />,
  },
  {
    id: 'expiresAt',
    header: 'Valid until',
    value: ({ expiresAt }) => expiresAt ?? '',
    cell: ({ expiresAt }) => (expiresAt === null ? 'no end' : <Instant at={expiresAt} />),
  },
  {
    id: 'expiredPaise',
    header: 'Expired unused',
    align: 'end',
    value: ({ expiredPaise }) => expiredPaise ?? 0,
    cell: ({ expiredPaise }) => (expiredPaise === null ? '' : <Rupees paise={expiredPaise} />),
  },
]

/** Prepaid credit of a training, or of all trainings without separate credit. */
export function PrepaidAccount({ account, state }: { account: Account; state: PrepaidState }) {
  const { trainingName, leftPaise, boughtPaise, usedPaise, expiredPaise, lowPaise, hardLimit, validDays } = account
  const name = trainingName ?? state.organization
  const id = useId()
  return (
    <section className="panel stack" aria-labelledby={id}>
      <div className="ends">
        <h2 id={id}>{trainingName ?? `${state.organization}, all other trainings`}</h2>
        <DialogButton
          variant="default"
          icon={IconPencil}
          dialog={(close) => <AlertDialog account={account} organization={state.organization} close={close} />}
        >
          Change Alert
        </DialogButton>
      </div>
      <p>
        <span className="figure">
          <Rupees paise={leftPaise} />
        </span>{' '}
        left
      </p>
      <Bar
        label={`Prepaid credit used by ${name}`}
        value={usedPaise + expiredPaise}
        total={boughtPaise}
        text={`${formatRupees(usedPaise / 100)} of ${formatRupees(boughtPaise / 100)} used${expiredPaise > 0 ? `, ${formatRupees(expiredPaise / 100)} expired` : ''}`}
      />
      <p role={account.isUsedUp || account.isLow ? 'alert' : undefined}>{forecastSentence(account, state)}</p>
      <p className="dim">
        Amounts are before tax. Usage since <Instant at={account.startedAt} /> counts.{' '}
        {hardLimit
          ? 'When the credit is used up, machines are stopped, and orders and starts are refused.'
          : 'When the credit is used up, machines go on running and their usage is invoiced.'}{' '}
        {validDays === null ? 'Bought credit does not expire.' : `Bought credit is valid for ${validDays} days.`}{' '}
        {lowPaise === 0
          ? 'Admins are notified by mail when it is used up.'
          : `Admins are notified by mail below ${formatRupees(lowPaise / 100)}, and when it is used up.`}
      </p>
      {account.purchases.length > 0 && (
        <DataTable
          label={`Purchases of credit of ${name}`}
          rows={account.purchases}
          rowId={({ payment }) => payment}
          columns={COLUMNS}
          empty="No credit was bought yet."
          stacks
        />
      )}
    </section>
  )
}
