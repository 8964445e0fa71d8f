import { Button } from '@mantine/core'
import { useSaveFile } from '@trainyard/platform/web/api/file.ts'

/**
 * Renders buttons that save a person's data.
 * @param email address of the person; null for the signed-in user
 */
export function SavePersonalData({ email }: { email: string | null }) {
  const { saving, save } = useSaveFile()
  const saveAs = (format: 'json' | 'text') =>
    void (email === null
      ? save(['privacy', 'exportMine'], { format })
      : save(['privacy', 'exportPerson'], { email, format }))
  return (
    <div className="row">
      <Button variant="default" disabled={saving} onClick={() => saveAs('text')}>
        Save as text
      </Button>
      <Button variant="default" disabled={saving} onClick={() => saveAs('json')}>
        Save as JSON
      </Button>
    </div>
  )
}
