import { nameOfPath, shownName } from '@trainyard/contract/words/file.ts'
import { inBytes } from './in-bytes.ts'
import styles from './Files.module.css'
import type { Shown } from './useTransfers.ts'

interface TransferLineProps {
  transfer: Shown
  /** This page has the file of an upload, and can go on without being given it again. */
  hasFile: boolean
  pause: () => void
  resume: (chosen?: File) => void
  replace: () => void
  giveUp: () => void
}

/** One file on its way: how far it is, and what can be done with it. */
export function TransferLine({ transfer, hasFile, pause, resume, replace, giveUp }: TransferLineProps) {
  const { direction, path, size, done, result, sending, problem, stands } = transfer
  const name = shownName(nameOfPath(path))
  const open = result === null
  const waits = open && direction === 'upload' && !sending
  return (
    <li>
      <p className={styles.of}>
        <strong>{name}</strong>{' '}
        <span>
          {direction === 'upload' ? 'up' : 'down'},{' '}
          {open ? `${inBytes(done)} of ${size === null ? '?' : inBytes(size)}` : result}
        </span>
      </p>
      {open && <progress aria-label={`Progress of ${name}`} max={size || 1} value={done} />}
      {open && problem !== null && <p role="alert">{problem}</p>}
      {open && (
        <p className={styles.actions}>
          {sending && (
            <button type="button" onClick={pause} aria-label={`Pause ${name}`}>
              Pause
            </button>
          )}
          {waits && stands && (
            <button type="button" onClick={replace} aria-label={`Replace ${name}`}>
              Replace
            </button>
          )}
          {waits && !stands && hasFile && (
            <button type="button" onClick={() => resume()} aria-label={`Resume ${name}`}>
              Resume
            </button>
          )}
          {waits && !hasFile && (
            <label className={styles.choose}>
              Choose {name} again to resume
              <input type="file" onChange={({ currentTarget: { files } }) => files?.[0] && resume(files[0])} />
            </label>
          )}
          <button type="button" onClick={giveUp} aria-label={`Give up ${name}`}>
            Give up
          </button>
        </p>
      )}
    </li>
  )
}
