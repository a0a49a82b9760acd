"""Mutation tests for the code that protects readers: does a test notice each fault?"""
