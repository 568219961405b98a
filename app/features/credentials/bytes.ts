/** Bytes as they stand in JSON: base64url without padding. No I/O here. */
import { z } from 'zod'

const textLength = (length: number) => Math.ceil((length * 4) / 3)

/** Text that holds as many bytes as one of `lengths`. */
export const bytes = (...lengths: number[]) =>
  z
    .base64url()
    .refine(
      (text) => lengths.some((length) => text.length === textLength(length)),
      `This holds ${lengths.join(' or ')} bytes as base64url`,
    )
