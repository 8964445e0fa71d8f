export interface TextRecords {
  /** Returns the TXT records of a name; an empty list if the name has none. Throws only `TextRecordsError`. */
  textsOf(name: string): Promise<readonly string[]>
}

export class TextRecordsError extends Error {
  override readonly name = 'TextRecordsError'
}
