import type { Machine, Progress } from '../contract/machine.ts'
import { formatDuration } from '@trainyard/platform/contract/words/duration.ts'
import { waitText } from '../contract/operation.ts'
import { useSeconds } from '@trainyard/platform/web/ui/useSeconds.ts'
import styles from './MachineProgress.module.css'

export const MachineProgress = ({
  machine: { progress, status },
  brief = false,
}: {
  machine: Machine
  brief?: boolean
}) =>
  // A failing machine shows its reason instead, because a usual duration would mislead.
  progress === null || status === 'Failing' ? null : <Waiting progress={progress} brief={brief} />

function Waiting({ progress, brief }: { progress: Progress; brief: boolean }) {
  const now = useSeconds(true)
  const { askedAt, endedAt, usual } = progress
  const fraction =
    endedAt !== null || usual === null ? null : (now.getTime() - Date.parse(askedAt)) / 1000 / usual.median
  return (
    <span
      className={styles.progress}
      data-brief={brief || undefined}
      title={brief ? waitText(progress, now) : undefined}
    >
      {fraction !== null && !brief && (
        <span
          className={styles.bar}
          aria-hidden="true"
          style={{ '--share': Math.min(1, Math.max(0.02, fraction)) } as object}
        />
      )}
      {brief
        ? formatDuration(Math.max(0, (now.getTime() - Date.parse(endedAt ?? askedAt)) / 1000))
        : waitText(progress, now)}
    </span>
  )
}
