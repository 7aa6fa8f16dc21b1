/** In the fragment of the address instead of a job number. */
export const bulkCommandHash = 'send'
