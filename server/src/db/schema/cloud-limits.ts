export interface CloudPlaceTable {
  location: string
  looked_at: Date
}

export interface CloudSizeTable {
  location: string
  size: string
  family: string
  cores: number
  memory_mb: number | null
  withheld: string | null
}

export interface CloudLimitTable {
  location: string
  family: string
  used: number
  allowed: number
}

export interface CloudTermsTable {
  publisher: string
  product: string
  plan: string
  accepted: boolean
  looked_at: Date
}

export interface CallBucketTable {
  name: string
  tokens: number
  counted_at: Date
  closed_until: Date
}
