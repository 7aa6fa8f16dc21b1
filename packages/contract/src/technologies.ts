export const technologies = ['5G', 'WiFi', 'LiFi', 'other'] as const
export type Technology = (typeof technologies)[number]
