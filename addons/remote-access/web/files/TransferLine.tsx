import { nameOfPath, displayFileName } from '@trainyard/platform/contract/words/file.ts'
import { inBytes } from './in-bytes.ts'
import styles from './Files.module.css'
import type { TransferState } from './useTransfers.ts'

interface TransferLineProps {
  transfer: TransferState
  hasFile: boolean
  pause: () => void
  resume: (chosen?: File) => void
  replace: () => void
  cancel: () => void
}

export function TransferLine({ transfer, hasFile, pause, resume, replace, cancel }: TransferLineProps) {
  const { direction, path, size, done, result, sending, problem, fileExists } = transfer
  const name = displayFileName(nameOfPath(path))
  const open = result === null
  const isWaiting = open && direction === 'upload' && !sending
  return (
    <li>
      <p className={styles.of}>
        <strong>{name}</strong>{' '}
        <span>
          {direction === 'upload' ? 'Upload' : 'Download'}:{' '}
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
          {isWaiting && fileExists && (
            <button type="button" onClick={replace} aria-label={`Replace ${name}`}>
              Replace
            </button>
          )}
          {isWaiting && !fileExists && hasFile && (
            <button type="button" onClick={() => resume()} aria-label={`Resume ${name}`}>
              Resume
            </button>
          )}
          {isWaiting && !hasFile && (
            <label className={styles.choose}>
              Choose {name} again to resume
              <input type="file" onChange={({ currentTarget: { files } }) => files?.[0] && resume(files[0])} />
            </label>
          )}
          <button type="button" onClick={cancel} aria-label={`Cancel ${name}`}>
            Cancel
          </button>
        </p>
      )}
    </li>
  )
}
