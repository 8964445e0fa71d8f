import { GUIDE } from '../contract/guide-words.ts'
import { Findings } from './Findings.tsx'
import type { Upload } from './useUpload.ts'

/** What the server found in the last guide that was uploaded or fetched. */
export const UploadFindings = ({ upload: { refused, imported, stored } }: { upload: Upload }) => (
  <>
    {refused && <Findings title={refused.message} findings={refused.findings} isAlert />}
    {imported && (
      <Findings
        label="Conversion"
        title={GUIDE.converted(imported.format, imported.counts, imported.notes.length)}
        findings={imported.notes}
      />
    )}
    {stored && stored.findings.length > 0 && (
      <Findings title={`Version ${stored.number} is stored. Places to look at:`} findings={stored.findings} />
    )}
  </>
)
