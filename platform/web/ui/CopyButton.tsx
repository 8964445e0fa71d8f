import IconCopy from '@tabler/icons-react/icons/IconCopy'
import { useEffect, useState } from 'react'
import { NO_CLIPBOARD, toClipboard } from './copy.ts'
import { notify } from './notices.ts'
import styles from './CopyButton.module.css'

const SAYS_SO_MS = 1_600

export function CopyButton({ text, label }: { text: string; label: string }) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return undefined
    const timer = setTimeout(() => setCopied(false), SAYS_SO_MS)
    return () => clearTimeout(timer)
  }, [copied])
  return (
    <button
      type="button"
      className={`icon-button ${styles.copy} no-print`}
      aria-label={label}
      title={label}
      onClick={() =>
        void toClipboard(text).then(
          () => setCopied(true),
          () => notify.alert(NO_CLIPBOARD),
        )
      }
    >
      {copied ? <output className={styles.said}>Copied</output> : <IconCopy size={15} aria-hidden />}
    </button>
  )
}
