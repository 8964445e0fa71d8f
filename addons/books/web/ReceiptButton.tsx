import { useSelection } from '@trainyard/platform/web/navigation/useSelection.ts'
import { useSaveFile } from '@trainyard/platform/web/api/file.ts'
import { TextButton } from '@trainyard/platform/web/ui/TextButton.tsx'

export default function ReceiptButton({ id }: { id: string }) {
  const { organization } = useSelection()
  const { saving, save } = useSaveFile()
  return (
    <TextButton
      label={`Receipt of ${id}`}
      disabled={saving}
      onClick={() => void save(['books', 'receiptPdf'], { organization: organization!, id })}
    >
      Receipt
    </TextButton>
  )
}
