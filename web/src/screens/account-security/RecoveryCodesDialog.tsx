import { Button } from '@mantine/core'
import { CopyButton } from '#src/ui/CopyButton.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'
import styles from './SecondFactor.module.css'

/** Shows recovery codes, the one time that anybody can read them. */
export function RecoveryCodesDialog({ codes, close }: { codes: readonly string[]; close: () => void }) {
  return (
    <Dialog title="Recovery codes" close={close} foot={<Button onClick={close}>I have kept them</Button>}>
      <p>
        Each code signs you in once, in the place of your app or passkey. Keep them where you keep passwords: they are
        not shown again.
      </p>
      <ol className={styles.codes} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <CopyButton text={codes.join('\n')} label="Copy the recovery codes" />
    </Dialog>
  )
}
