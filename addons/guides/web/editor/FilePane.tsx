import IconPlus from '@tabler/icons-react/icons/IconPlus'
import IconUpload from '@tabler/icons-react/icons/IconUpload'
import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { ConfirmDialog } from '@trainyard/platform/web/ui/ConfirmDialog.tsx'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { ReasonButton } from '@trainyard/platform/web/ui/ReasonButton.tsx'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'
import { type Files, GUIDE_FILE, pathsOf, problemOfPath } from './edited-files.ts'
import styles from './Editor.module.css'

interface FilePaneProps {
  files: Files
  shown: string
  /** Numbers of faults by path. */
  faults: ReadonlyMap<string, number>
  show: (path: string) => void
  create: (path: string) => void
  rename: (from: string, to: string) => void
  remove: (path: string) => void
  add: (files: FileList) => void
}

type Asked = 'create' | 'rename' | 'remove'

export function FilePane({ files, shown, faults, show, create, rename, remove, add }: FilePaneProps) {
  const [asked, setAsked] = useState<Asked | null>(null)
  const [isOver, setOver] = useState(false)
  const close = () => setAsked(null)
  const mayChange = shown === GUIDE_FILE ? `Every guide has ${GUIDE_FILE}.` : true
  const choose = () => {
    const input = Object.assign(document.createElement('input'), { type: 'file', multiple: true })
    input.addEventListener('change', () => input.files && add(input.files))
    input.click()
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the button adds files without dragging
    <section
      className={styles.files}
      aria-label="Files"
      data-over={isOver || undefined}
      onDragOver={() => setOver(true)}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false)
      }}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        add(event.dataTransfer.files)
      }}
    >
      <div className={styles.tools}>
        <button type="button" className={styles.button} onClick={() => setAsked('create')}>
          <IconPlus size={16} aria-hidden />
          New file
        </button>
        <button
          type="button"
          className={styles.button}
          title="Pictures and other files, which can also be dropped here"
          onClick={choose}
        >
          <IconUpload size={16} aria-hidden />
          Add files
        </button>
      </div>
      <ul aria-label="Files of the guide">
        {pathsOf(files).map((path) => {
          const slash = path.lastIndexOf('/') + 1
          const count = faults.get(path) ?? 0
          return (
            <li key={path}>
              <button type="button" aria-current={path === shown || undefined} title={path} onClick={() => show(path)}>
                <span className="mono">
                  <span className="dim">{path.slice(0, slash)}</span>
                  {path.slice(slash)}
                </span>
                {count > 0 && (
                  <span className={styles.count}>
                    {count}
                    <span className="visually-hidden">{count === 1 ? ' fault' : ' faults'}</span>
                  </span>
                )}
              </button>
            </li>
          )
        })}
      </ul>
      <div className={styles.tools}>
        {/* They keep the focus when guide.yaml is shown after a deletion. */}
        <ReasonButton variant="default" size="xs" may={mayChange} onClick={() => setAsked('rename')}>
          Rename
        </ReasonButton>
        <ReasonButton variant="default" size="xs" may={mayChange} onClick={() => setAsked('remove')}>
          Delete
        </ReasonButton>
      </div>
      {(asked === 'create' || asked === 'rename') && (
        <AskName
          {...(asked === 'create'
            ? { title: 'New file', submit: 'Create', start: '', save: create }
            : { title: `Rename ${shown}`, submit: 'Rename', start: shown, save: (to: string) => rename(shown, to) })}
          files={files}
          close={close}
        />
      )}
      {asked === 'remove' && (
        <ConfirmDialog
          title={`Delete ${shown}`}
          confirm="Delete"
          destroys
          onConfirm={() => {
            close()
            remove(shown)
          }}
          close={close}
        >
          <p>It stays in the versions that are stored.</p>
        </ConfirmDialog>
      )}
    </section>
  )
}

interface AskNameProps {
  title: string
  submit: string
  files: Files
  start: string
  save: (path: string) => void
  close: () => void
}

function AskName({ title, submit, files, start, save, close }: AskNameProps) {
  const [path, setPath] = useState(start)
  const [tried, setTried] = useState(false)
  const problem = problemOfPath(path.trim(), files)
  return (
    <FormDialog
      title={title}
      submit={submit}
      busy={false}
      close={close}
      onSubmit={() => {
        setTried(true)
        if (problem !== null) return
        close()
        save(path.trim())
      }}
    >
      <TextInput
        label="Name with folders"
        description="Such as steps/2-server.md or checks/server.sh."
        spellCheck={false}
        autoCapitalize="off"
        {...controlledText(path, setPath)}
        error={tried && problem !== null && <span role="alert">{problem}</span>}
      />
    </FormDialog>
  )
}
