export interface CallBucketTable {
  name: string
  tokens: number
  counted_at: Date
  closed_until: Date
}
