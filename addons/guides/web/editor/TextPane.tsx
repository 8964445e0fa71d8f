import { type RefObject, useEffect, useState } from 'react'
import { type Files, isMarkdown, pictureIn, placeOfLine } from './edited-files.ts'
import styles from './Editor.module.css'
import { usePicture } from './usePicture.ts'

/** Place to which the text is scrolled. Each one is a new object, so that the same line can be chosen again. */
export interface Jump {
  readonly path: string
  readonly line: number
}

interface TextPaneProps {
  field: RefObject<HTMLTextAreaElement | null>
  files: Files
  path: string
  jump: Jump | null
  write: (text: string) => void
  drop: (files: FileList) => void
}

/** The text of a file, or its picture. */
export function TextPane({ field, files, path, jump, write, drop }: TextPaneProps) {
  const content = files.get(path)
  const [line, setLine] = useState(1)
  useEffect(() => {
    const element = field.current
    if (jump === null || jump.path !== path || element === null) return
    element.setSelectionRange(...placeOfLine(element.value, jump.line))
    // Browsers scroll to the selection when the element gets the focus.
    element.blur()
    element.focus()
  }, [field, jump, path])
  const picture = usePicture(files, typeof content === 'string' ? null : path)
  if (typeof content !== 'string')
    return (
      <section className={styles.text} aria-label="File">
        <p className={`mono ${styles.path}`}>{path}</p>
        <div className={styles.binary}>
          {picture === null ? <p>This file cannot be shown as text.</p> : <img src={picture} alt={path} />}
          <p className="dim">{Math.ceil((content?.length ?? 0) / 1024)} kB</p>
          {picture !== null && (
            <p className="dim">
              In the text of a step: <code>{pictureIn('steps/1.md', path)}</code>
            </p>
          )}
        </div>
      </section>
    )
  const noteLine = ({ value, selectionStart }: HTMLTextAreaElement) =>
    setLine(value.slice(0, selectionStart).split('\n').length)
  return (
    <section className={styles.text} aria-label="Text">
      <p className={`ends ${styles.path}`}>
        <span className="mono">{path}</span>
        <span className="dim">Line {line}</span>
      </p>
      <textarea
        key={path}
        ref={field}
        aria-label={`Text of ${path}`}
        value={content}
        wrap={isMarkdown(path) ? 'soft' : 'off'}
        spellCheck={isMarkdown(path)}
        autoCapitalize="off"
        autoComplete="off"
        onChange={({ currentTarget }) => {
          write(currentTarget.value)
          noteLine(currentTarget)
        }}
        onSelect={({ currentTarget }) => noteLine(currentTarget)}
        onDrop={(event) => {
          if (event.dataTransfer.files.length === 0) return
          event.preventDefault()
          drop(event.dataTransfer.files)
        }}
      />
    </section>
  )
}
