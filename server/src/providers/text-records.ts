/** The texts that whoever owns a domain publishes in DNS. One adapter implements it; the domain knows only this page. */
export interface TextRecords {
  /** The texts of a name; none where there is no such name. Throws `TextRecordsError` alone. */
  textsOf(name: string): Promise<readonly string[]>
}

/** No name server gave an answer. */
export class TextRecordsError extends Error {
  override readonly name = 'TextRecordsError'
}
