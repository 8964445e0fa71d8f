import { RequestId } from './RequestId.tsx'
import { TextButton } from './TextButton.tsx'

export interface MessageProps {
  /** Screen readers announce an alert at once and a status when idle. */
  readonly kind: 'alert' | 'status'
  readonly text: string
  readonly requestId?: string | null
  readonly button?: { readonly label: string; readonly onClick: () => void } | undefined
}

export const Message = ({ kind, text, requestId, button }: MessageProps) => (
  <>
    <p role={kind}>{text}</p>
    {requestId && <RequestId id={requestId} />}
    {button && <TextButton onClick={button.onClick}>{button.label}</TextButton>}
  </>
)
