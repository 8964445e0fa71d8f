import { useQuery } from '@tanstack/react-query'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { home } from '../contract/home.ts'
import { formatAbout, formatRupees, paise, rupeesOfPaise } from '@trainyard/platform/contract/words/money.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import type { Choice } from '@trainyard/platform/web/navigation/selection.ts'
import { ScreenLink } from '@trainyard/platform/web/ui/ScreenLink.tsx'
import styles from './Figures.module.css'

export type Board = ReplyOf<typeof home.trainings>

interface FiguresProps {
  trainings: Board['trainings']
  balancePaise: number
  whose: { readonly organization?: string }
}

export function Figures({ trainings, balancePaise, whose }: FiguresProps) {
  const credit = useQuery({ ...query(api.meter.outlook, whose), select: ({ creditLeftPaise }) => creditLeftPaise })
  /** Opens the first training to which a figure applies. */
  const searchOf = (valueOf: (training: Board['trainings'][number]) => number): Choice => {
    const training = trainings.find((each) => valueOf(each) > 0)?.training
    return { ...whose, ...(training !== undefined && { training }) }
  }
  const sum = (valueOf: (training: Board['trainings'][number]) => number) =>
    trainings.reduce((total, training) => total + valueOf(training), 0)
  const live = sum(({ running, stopped }) => running + stopped)
  const failing = sum((training) => training.failing)
  const runningOut = sum((training) => training.runningOut)
  return (
    <ul className={`panel ${styles.figures}`}>
      <li>
        <span className={styles.figure}>{sum(({ running }) => running)}</span>
        <span>of {live} machines running</span>
      </li>
      <li data-warns={failing > 0 || undefined}>
        <span className={styles.figure}>{failing}</span>
        {failing === 0 ? (
          <span>failing</span>
        ) : (
          <ScreenLink to="/vm/vmdetails" search={searchOf((training) => training.failing)}>
            failing
          </ScreenLink>
        )}
      </li>
      <li data-warns={runningOut > 0 || undefined}>
        <span className={styles.figure}>{runningOut}</span>
        {runningOut === 0 ? (
          <span>with quota running out</span>
        ) : (
          <ScreenLink to="/vm/vmdetails" search={searchOf((training) => training.runningOut)}>
            with quota running out
          </ScreenLink>
        )}
      </li>
      <li>
        <span className={styles.figure}>{formatRupees(rupeesOfPaise(paise(Math.abs(balancePaise))))}</span>
        <ScreenLink to="/ledger/account" search={whose}>
          {balancePaise < 0 ? 'paid ahead' : balancePaise === 0 ? 'settled' : 'to be paid'}
        </ScreenLink>
      </li>
      {credit.data != null && (
        <li data-warns={credit.data <= 0 || undefined}>
          <span className={styles.figure}>{formatAbout(credit.data)}</span>
          <span>credit left</span>
        </li>
      )}
    </ul>
  )
}
