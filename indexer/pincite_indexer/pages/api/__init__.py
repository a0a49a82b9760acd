"""Read the descriptions of web APIs: operations, parameters and responses."""
