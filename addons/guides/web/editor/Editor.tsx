import { Button } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { useSearchState } from '@trainyard/platform/web/navigation/useSearchState.ts'
import { useSelection } from '@trainyard/platform/web/navigation/useSelection.ts'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { notify } from '@trainyard/platform/web/ui/notices.ts'
import { Screen } from '@trainyard/platform/web/ui/Screen.tsx'
import { SelectCustomer } from '@trainyard/platform/web/ui/SelectTraining.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { useUnsaved } from '@trainyard/platform/web/ui/unsaved.tsx'
import { ViewSwitch } from '@trainyard/platform/web/ui/ViewSwitch.tsx'
import { GUIDE_FILE_MAX } from '../../contract/guide-words.ts'
import { GuideText, Picture } from '../GuideText.tsx'
import { Placed } from '../Placed.tsx'
import {
  type Content,
  contentOf,
  type Files,
  GUIDE_FILE,
  isMarkdown,
  pathsOf,
  picturesAt,
  pictureType,
  withDropped,
} from './edited-files.ts'
import styles from './Editor.module.css'
import { FilePane } from './FilePane.tsx'
import { FindingsPane } from './FindingsPane.tsx'
import { SKELETON } from './skeleton.ts'
import { type Jump, TextPane } from './TextPane.tsx'
import { type Opened, useDraft } from './useDraft.ts'
import { usePicture } from './usePicture.ts'
import { usePreview } from './usePreview.ts'

const NEW: Opened = { guide: null, number: 0, newest: 0, files: SKELETON }

/** Edits the files of a version of a guide, or of a new guide, and saves them as a draft. */
export default function Editor() {
  const { organization } = useSelection()
  const { role } = useMe()
  const [{ guide, version }] = useSearchState<'guide' | 'version'>()
  const place = `${organization} ${guide ?? ''} ${version ?? ''}`
  // After a save, the address names the version that was saved. What is edited stays as it is.
  const [work, setWork] = useState({ id: 0, guide, version, places: [place] })
  if (!work.places.includes(place)) setWork({ id: work.id + 1, guide, version, places: [place] })
  if (organization === null)
    return (
      <Screen>
        <SelectCustomer />
      </Screen>
    )
  const props = {
    whose: role === 'superadmin' ? { organization } : {},
    onSaved: (saved: string, number: number) =>
      setWork((before) => ({ ...before, places: [...before.places, `${organization} ${saved} ${number}`] })),
  }
  return work.guide === undefined ? (
    <Workbench key={work.id} opened={NEW} {...props} />
  ) : (
    <Version key={work.id} guide={work.guide} number={work.version ?? '1'} {...props} />
  )
}

interface OfOrganization {
  whose: { readonly organization?: string }
  onSaved: (guide: string, number: number) => void
}

function Version({ guide, number, ...props }: OfOrganization & { guide: string; number: string }) {
  // The number of the newest version must not come from the cache, where a preview keeps the files.
  const files = query(api.guide.files, { ...props.whose, guide, number })
  const read = useQuery({ ...files, queryKey: [...files.queryKey, 'to edit'], gcTime: 0 })
  const [opened, setOpened] = useState<Opened | null>(null)
  if (opened === null && read.data !== undefined)
    setOpened({ guide, number: Number(number), newest: read.data.newest, files: filesOf(read.data.files) })
  if (opened !== null) return <Workbench opened={opened} {...props} />
  return (
    <Screen>
      <Fetched query={read} loading={<Skeleton rows={8} height="1.5rem" />}>
        {() => null}
      </Fetched>
    </Screen>
  )
}

const filesOf = (files: readonly { readonly path: string; readonly bytes: string }[]): Files =>
  new Map(
    files.map(({ path, bytes }) => [path, contentOf(Uint8Array.from(atob(bytes), (char) => char.codePointAt(0)!))]),
  )

/** Place in a text, and the field that shows it. */
interface Place {
  readonly path: string
  readonly element: HTMLTextAreaElement
  readonly from: number
  readonly end: number
}

const PANES = [
  { form: 'files', label: 'Files' },
  { form: 'text', label: 'Text' },
  { form: 'preview', label: 'Preview' },
] as const
type Pane = (typeof PANES)[number]['form']

/** The text of the first step, which an author looks for first. */
const firstOf = (files: Files): string => pathsOf(files).find(isMarkdown) ?? GUIDE_FILE

function Workbench({ opened, whose, onSaved }: OfOrganization & { opened: Opened }) {
  const draft = useDraft(opened, whose)
  const { files, stored, refused, isChanged, isSaving, change, save } = draft
  const [chosen, setChosen] = useState(() => firstOf(opened.files))
  const shown = files.has(chosen) ? chosen : GUIDE_FILE
  const [pane, setPane] = useState<Pane>('text')
  const [jump, setJump] = useState<Jump | null>(null)
  const preview = usePreview(files, shown, whose)
  const field = useRef<HTMLTextAreaElement>(null)
  const { question } = useUnsaved(isChanged)
  const navigate = useNavigate()
  const named = useRef({ guide: opened.guide, number: opened.number })
  useEffect(() => {
    if (stored.guide === null) return
    if (stored.guide === named.current.guide && stored.number === named.current.number) return
    named.current = { guide: stored.guide, number: stored.number }
    onSaved(stored.guide, stored.number)
    const version = { guide: stored.guide, version: String(stored.number) }
    void navigate({
      to: '.',
      search: (now: object) => ({ ...now, ...version }) as never,
      replace: true,
      resetScroll: false,
      // Text typed during the save stays in the editor.
      ignoreBlocker: true,
    })
  })
  useWindowEvent('keydown', (event) => {
    if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
    event.preventDefault()
    save()
  })
  // A browser leaves the page for a file that is dropped beside the lists.
  useWindowEvent('dragover', (event) => event.preventDefault())
  useWindowEvent('drop', (event) => event.preventDefault())

  const show = (path: string) => {
    setChosen(path)
    setPane('text')
  }
  const put = (path: string, text: string) => change((before) => new Map([...before, [path, text]]))
  const rename = (from: string, to: string) => {
    change((before) => new Map([...before].map(([path, content]) => [path === from ? to : path, content])))
    setChosen(to)
  }
  /** Adds files. @returns their paths */
  const add = async (list: FileList, into?: Place): Promise<readonly string[]> => {
    const dropped = await Promise.all(
      [...list].map(async (file) => ({
        file,
        bytes: file.size > GUIDE_FILE_MAX ? null : new Uint8Array(await file.arrayBuffer()),
      })),
    )
    let paths: readonly string[] = []
    // While the files were read, others can have been added, and another one be shown.
    change((before) => {
      const { files: after, added, problems } = withDropped(before, dropped)
      paths = added
      for (const problem of problems) notify.alert(problem)
      if (into !== undefined) insert(after, into, added)
      return after
    })
    return paths
  }
  const insert = (to: Map<string, Content>, { path, element, from, end }: Place, added: readonly string[]) => {
    const pictures = added.filter((each) => pictureType(each) !== undefined)
    const content = to.get(path)
    if (typeof content !== 'string' || pictures.length === 0) return
    // The field counts each end of a line as one character.
    const text = content.replaceAll(/\r\n?/g, '\n')
    const markdown = picturesAt(text, from, path, pictures)
    to.set(path, `${text.slice(0, from)}${markdown}${text.slice(end)}`)
    if (!element.isConnected) return
    // The cursor stays behind the pictures.
    element.setRangeText(markdown, from, end, 'end')
    element.focus()
  }
  const dropIntoText = (list: FileList) => {
    const { current: element } = field
    return element === null || !isMarkdown(shown)
      ? add(list)
      : add(list, { path: shown, element, from: element.selectionStart, end: element.selectionEnd })
  }
  const fail = (error: Error) => notify.alert(error.message, error)
  const faults = Map.groupBy(preview?.findings.filter(({ isError }) => isError) ?? [], ({ file }) => file)
  const hasPreview = isMarkdown(shown) && typeof files.get(shown) === 'string'
  return (
    <Screen
      actions={
        <>
          <span className="dim">{isSaving ? '' : isChanged ? 'Unsaved changes' : stored.number > 0 && 'Saved'}</span>
          <Button
            title="Ctrl+S"
            aria-disabled={isSaving || undefined}
            data-disabled={isSaving || undefined}
            onClick={() => save()}
          >
            {isSaving ? 'Saving...' : 'Save draft'}
          </Button>
        </>
      }
    >
      <p>
        <Link to="/admin/guides" search={whose}>
          All guides
        </Link>
        <span className="dim">
          {' '}
          · {stored.guide === null ? 'New guide' : `${stored.guide}, version ${stored.number}`}
        </span>
      </p>
      <div className={styles.switch}>
        <ViewSwitch label="Part" forms={PANES} shown={pane} choose={setPane} />
      </div>
      <div className={styles.panes} data-pane={pane} data-preview={hasPreview || undefined}>
        <FilePane
          files={files}
          shown={shown}
          faults={new Map([...faults].map(([path, all]) => [path, all.length]))}
          show={show}
          create={(path) => {
            put(path, '')
            show(path)
          }}
          rename={rename}
          remove={(path) => change((before) => new Map([...before].filter(([each]) => each !== path)))}
          add={(list) => void add(list).then(([first]) => first !== undefined && show(first), fail)}
        />
        <TextPane
          field={field}
          files={files}
          path={shown}
          jump={jump}
          write={(text) => put(shown, text)}
          drop={(list) => void dropIntoText(list).catch(fail)}
        />
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a long text is scrolled by the keyboard too */}
        <section className={styles.preview} aria-label="Preview" tabIndex={0}>
          {hasPreview && preview?.shown === shown && preview.text !== null && (
            <GuideText
              nodes={preview.text}
              terminal={null}
              place={Placed}
              picture={(path, text) => <EditedPicture files={files} path={path} text={text} />}
            />
          )}
          {!hasPreview && <p className="dim">Only texts in Markdown have a preview.</p>}
        </section>
        <FindingsPane
          files={files}
          findings={preview?.findings ?? null}
          total={preview?.total ?? 0}
          refused={refused}
          other={{ ...whose, guide: stored.guide, version: refused?.newest?.toString() }}
          save={save}
          open={(to) => {
            show(to.path)
            setJump(to)
          }}
        />
      </div>
      {question}
    </Screen>
  )
}

const EditedPicture = ({ files, path, text }: { files: Files; path: string; text: string }) => (
  <Picture address={usePicture(files, path)} text={text} />
)
