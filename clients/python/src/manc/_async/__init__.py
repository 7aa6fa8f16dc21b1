"""The client for asyncio. The package `_sync` is generated from this one by `npm run docs`."""
