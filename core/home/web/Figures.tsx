import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { home } from '../contract/home.ts'
import { formatRupees, paise, rupeesOfPaise } from '@trainyard/platform/contract/words/money.ts'
import type { Choice } from '@trainyard/platform/web/navigation/selection.ts'
import { ScreenLink } from '@trainyard/platform/web/ui/ScreenLink.tsx'
import styles from './Figures.module.css'

export type Board = ReplyOf<typeof home.trainings>

interface FiguresProps {
  trainings: Board['trainings']
  balancePaise: number
  whose: Choice
}

export function Figures({ trainings, balancePaise, whose }: FiguresProps) {
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
        <span>failing</span>
      </li>
      <li data-warns={runningOut > 0 || undefined}>
        <span className={styles.figure}>{runningOut}</span>
        <span>with quota running out</span>
      </li>
      <li>
        <span className={styles.figure}>{formatRupees(rupeesOfPaise(paise(Math.abs(balancePaise))))}</span>
        <ScreenLink to="/ledger/account" search={whose}>
          {balancePaise < 0 ? 'paid ahead' : 'to be paid'}
        </ScreenLink>
      </li>
    </ul>
  )
}
