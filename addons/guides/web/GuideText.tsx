import IconCopy from '@tabler/icons-react/icons/IconCopy'
import IconPlayerPlay from '@tabler/icons-react/icons/IconPlayerPlay'
import { createElement, Fragment, type MouseEvent, type ReactNode, useState } from 'react'
import type { TerminalHandle } from '@trainyard/remote-access/web/slots.ts'
import type { GuideNode } from '../contract/guide-text.ts'
import styles from './Guide.module.css'

interface GuideTextProps {
  nodes: readonly GuideNode[]
  terminal: TerminalHandle | null
  /** Shows a task or a question of the step. */
  place: (tag: 'task' | 'question', id: string) => ReactNode
  /** Shows a picture of the guide. */
  picture?: (path: string, text: string) => ReactNode
}

const ELEMENTS: Readonly<Partial<Record<GuideNode['tag'], string>>> = {
  paragraph: 'p',
  item: 'li',
  strong: 'strong',
  emphasis: 'em',
  deleted: 'del',
  kbd: 'kbd',
  sub: 'sub',
  sup: 'sup',
  summary: 'summary',
  details: 'details',
  row: 'tr',
}

const ALERTS = { note: 'Note', tip: 'Tip', important: 'Important', warning: 'Warning', caution: 'Caution' } as const

/** Returns the text of a step without a first heading that repeats its title. */
export const withoutTitle = (nodes: readonly GuideNode[], title: string): readonly GuideNode[] =>
  nodes[0]?.tag === 'heading' && nodes[0].children?.[0]?.text === title ? nodes.slice(1) : nodes

/** Shows the text of a guide with elements only: it contains no HTML. */
export function GuideText({ nodes, terminal, place, picture }: GuideTextProps) {
  const all = (children: readonly GuideNode[] = []): ReactNode =>
    // oxlint-disable-next-line react/no-array-index-key -- the text of a step does not change
    children.map((node, index) => <Fragment key={index}>{one(node)}</Fragment>)
  const one = (node: GuideNode): ReactNode => {
    const { tag, text = '', children } = node
    switch (tag) {
      case 'text':
        return text
      case 'break':
        return <br />
      case 'rule':
        return <hr />
      case 'code':
        return node.action === undefined ? <code>{text}</code> : <Code node={node} terminal={terminal} />
      case 'fence':
        return <Code node={node} terminal={terminal} />
      case 'heading':
        return createElement(`h${Math.min(6, (node.level ?? 1) + 1)}`, null, all(children))
      case 'list':
        return node.start === undefined ? <ul>{all(children)}</ul> : <ol start={node.start}>{all(children)}</ol>
      case 'link':
        return (
          <a href={node.href} target="_blank" rel="noopener noreferrer">
            {all(children)}
          </a>
        )
      case 'image':
        // The key: another picture at this place must not show the one before until it is loaded.
        return picture === undefined ? text : <Fragment key={node.href}>{picture(node.href ?? '', text)}</Fragment>
      case 'quote':
        return (
          <blockquote data-alert={node.alert}>
            {node.alert !== undefined && <strong>{ALERTS[node.alert]}</strong>}
            {all(children)}
          </blockquote>
        )
      case 'table':
        return (
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a wide table is scrolled by the keyboard too
          <section className={styles.wide} tabIndex={0} aria-label="Table">
            <table>
              <tbody>{all(children)}</tbody>
            </table>
          </section>
        )
      case 'cell':
        return node.level === 1 ? <th scope="col">{all(children)}</th> : <td>{all(children)}</td>
      case 'task':
      case 'question':
        return place(tag, node.id ?? '')
      default:
        return createElement(ELEMENTS[tag]!, null, all(children))
    }
  }
  return <div className={styles.text}>{all(nodes)}</div>
}

/** A picture; its text until its address is known, and if it cannot be loaded. */
export function Picture({ address, text }: { address: string | null; text: string }) {
  const [failed, setFailed] = useState<string | null>(null)
  return address === null || address === failed ? (
    <span>{text}</span>
  ) : (
    <img src={address} alt={text} onError={() => setFailed(address)} />
  )
}

const INTERRUPT = '\u0003'

/** Code with buttons: they type it into the terminal, or copy it. */
function Code({ node, terminal }: { node: GuideNode; terminal: TerminalHandle | null }) {
  const { tag, text = '', action, interrupt = false } = node
  const [isCopied, setCopied] = useState(false)
  const type = ({ detail }: MouseEvent) => {
    terminal!.type(`${interrupt ? INTERRUPT : ''}${text.replaceAll('\n', '\r')}\r`)
    // The focus stays on the button.
    if (detail > 0) terminal!.focus()
  }
  // Browsers have no clipboard on pages without TLS, except on localhost. The text can still be selected.
  const copy = () => void navigator.clipboard?.writeText(text).then(() => setCopied(true))
  const canRun = action === 'run' && terminal !== null
  // There is room for one button in a line of text.
  const canCopy = action !== undefined && (tag === 'fence' || !canRun)
  const buttons = (
    <>
      {canCopy && (
        <button
          type="button"
          className={styles.copy}
          aria-label={`${isCopied ? 'Copied' : 'Copy'}: ${text}`}
          title={isCopied ? 'Copied' : 'Copy'}
          onClick={copy}
        >
          <IconCopy size={16} aria-hidden />
        </button>
      )}
      {canRun && (
        <button type="button" className={styles.run} aria-label={`Run: ${text}`} onClick={type}>
          <IconPlayerPlay size={16} aria-hidden />
          Run
        </button>
      )}
    </>
  )
  if (tag === 'code')
    return (
      <span className={styles.span}>
        <code>{text}</code>
        {buttons}
      </span>
    )
  return (
    <div className={styles.fence}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- long lines are scrolled by the keyboard too */}
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
      {buttons}
    </div>
  )
}
