import { Link } from '@tanstack/react-router'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import { countOf } from '@trainyard/platform/web/ui/count-of.ts'
import type { guide } from '../../contract/guide.ts'
import { type Files, GUIDE_FILE } from './edited-files.ts'
import styles from './Editor.module.css'
import type { Jump } from './TextPane.tsx'
import type { Draft } from './useDraft.ts'

interface FindingsPaneProps {
  files: Files
  /** Null until the files were checked. */
  findings: ReplyOf<typeof guide.preview>['findings'] | null
  /** Number of all findings, of which the list can be the beginning. */
  total: number
  refused: Draft['refused']
  /** Query of the version that another author has stored meanwhile. */
  other: object
  save: (newest: number) => void
  open: (to: Jump) => void
}

/** Reason of the last refused save, and the faults of the files, each with a button that leads to its line. */
export const FindingsPane = ({ files, findings, total, refused, other, save, open }: FindingsPaneProps) => (
  <section className={styles.findings} aria-label="Findings">
    {refused && (
      <div role="alert" className={styles.refused}>
        <p>{refused.message}</p>
        {refused.newest !== null && (
          <div className="row">
            <Link to="/admin/guides/edit" search={other} target="_blank">
              Look at version {refused.newest}
            </Link>
            <button type="button" className={styles.button} onClick={() => save(refused.newest!)}>
              Save mine after it
            </button>
          </div>
        )}
      </div>
    )}
    <output className="dim">
      {/* The preview does not read large files to their end, so that only the save finds their faults. */}
      {findings !== null &&
        (findings.length > 0 ? `${countOf(total, 'place')} to look at:` : !refused && 'No faults found.')}
    </output>
    {findings !== null && findings.length > 0 && (
      <ul>
        {findings.map(({ file, at, line, sentence, isError }) => (
          <li key={`${file} ${line} ${at} ${sentence}`}>
            <button
              type="button"
              className="text-button"
              disabled={!files.has(file)}
              onClick={() => open({ path: file, line: line ?? 1 })}
            >
              <span className="mono">{[file || GUIDE_FILE, line].filter((part) => part !== null).join(':')}</span>
            </button>{' '}
            {at !== '' && <span className="mono dim">{at} </span>}
            {isError ? <strong>Fault: </strong> : 'Note: '}
            {sentence}
          </li>
        ))}
      </ul>
    )}
  </section>
)
