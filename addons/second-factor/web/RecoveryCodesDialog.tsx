import { Button } from '@mantine/core'
import { CopyButton } from '@trainyard/platform/web/ui/CopyButton.tsx'
import { Dialog } from '@trainyard/platform/web/ui/Dialog.tsx'
import styles from './SecondFactor.module.css'

/** Shows new recovery codes. They can't be shown again. */
export function RecoveryCodesDialog({ codes, close }: { codes: readonly string[]; close: () => void }) {
  return (
    <Dialog title="Recovery codes" close={close} foot={<Button onClick={close}>I have saved them</Button>}>
      <p>
        Each code signs you in once, instead of your app or passkey. Store them with your passwords: they are not shown
        again.
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
