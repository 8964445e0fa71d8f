import { Button } from '@mantine/core'
import { CopyButton } from '#src/ui/CopyButton.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'

/** Shows a new key. It can't be shown again. */
export function NewKeyDialog({ apiKey, close }: { apiKey: string; close: () => void }) {
  return (
    <Dialog title="Your new API key" close={close} foot={<Button onClick={close}>I have saved it</Button>}>
      <p>Save the key now: it is not shown again. Send it in the header Authorization of each request:</p>
      <p>
        <code style={{ overflowWrap: 'anywhere' }}>Authorization: Bearer {apiKey}</code>
      </p>
      <CopyButton text={apiKey} label="Copy the API key" />
    </Dialog>
  )
}
